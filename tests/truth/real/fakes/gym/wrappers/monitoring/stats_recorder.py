class StatsRecorder:
    pass
