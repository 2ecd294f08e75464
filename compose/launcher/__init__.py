"""The launcher behind `compose/stack`: supervisord, one section an instance, in a private run folder."""
