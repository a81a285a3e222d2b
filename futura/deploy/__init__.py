"""What stands around the product on servers: nginx's configuration, the check of health."""
