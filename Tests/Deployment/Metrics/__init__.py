"""Tests of exporter with the programs that read it: Prometheus, and OpenTelemetry's protocol."""
