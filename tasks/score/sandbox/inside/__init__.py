"""What runs inside sandboxes: the modules are sent there as code, since the sandboxes see no file of this package.

They import only each other and what the interpreter has loaded anyway or loads in no time.
"""
