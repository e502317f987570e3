"""Builds the native part of the Python module with CMake, for the wheel that pyproject.toml describes.

ROADPLANE_BUILD names a build folder that exists; otherwise build/wheel is made.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = pathlib.Path(__file__).resolve().parent


def version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(\s*roadplane\s+VERSION\s+([\d.]+)", text).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        build = pathlib.Path(os.environ.get("ROADPLANE_BUILD", SOURCE / "build/wheel"))
        cmake = ["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        if not (build / "CMakeCache.txt").exists():
            subprocess.run([*cmake, f"-DROADPLANE_PYTHON={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "roadplane_python"], check=True)
        package = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        package.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as prefix:
            install = ["cmake", "--install", build, "--component", "python", "--prefix", prefix]
            subprocess.run(install, check=True)
            for library in pathlib.Path(prefix).rglob("roadplane/*.so"):
                shutil.copy(library, package)


setup(version=version(), ext_modules=[Extension("roadplane._native", [])], cmdclass={"build_ext": CMakeBuild})
