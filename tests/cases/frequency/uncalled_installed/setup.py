from setuptools import setup

setup(name="filters", py_modules=["filters"])
