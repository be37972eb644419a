"""What holds for every test: none depends on how busy the machine is."""

from hypothesis import settings

settings.register_profile("without_clock", deadline=None)
settings.load_profile("without_clock")
