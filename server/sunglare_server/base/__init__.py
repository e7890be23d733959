"""The base of the server: clocks, tasks, worker threads, histograms, shutdown."""
