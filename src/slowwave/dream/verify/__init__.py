"""No claim without a quote, and none that must not come back.

stage         small checks, run on every claim whoever made it
forgotten     old evidence does not bring back what was forgotten for good
echo          a told dream that comes back is no evidence
"""
