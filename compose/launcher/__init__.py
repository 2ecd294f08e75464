"""The launcher of `compose/stack`: supervisord with one section per instance, in a private run folder."""
