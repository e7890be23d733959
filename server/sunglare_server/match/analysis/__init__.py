"""The analysis of a finished match, a layer of its replay: where each could be, best scans."""
