"""What tests of several metrics share."""

from support.tiny_model import model as model
