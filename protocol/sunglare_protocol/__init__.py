"""Everything that crosses the wire between Sunglare servers and clients; knows neither side."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["__version__"]

try:
    __version__ = version("sunglare")
except PackageNotFoundError:  # run from a source folder that was never installed
    __version__ = "0+uninstalled"
