"""Tests of the image, of `compose/compose.yaml`, of the systemd units and of the manifests, in real containers."""
