"""The wire contract: messages and stubs, generated from the .proto files beside them."""
