"""`evaluate agent`: short talks with the assistant, judged by the rows that they leave."""
