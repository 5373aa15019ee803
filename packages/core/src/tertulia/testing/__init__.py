"""What tests of agents and adapters stand on: in-memory backends, and a scripted server on loopback."""

__all__: list[str] = []
