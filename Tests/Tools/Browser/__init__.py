"""The pages in Chromium, on a demo stack of the built programs."""
