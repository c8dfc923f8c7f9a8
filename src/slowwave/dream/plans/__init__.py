"""What stands between a plan and the ledger.

gates         what stops a plan before it changes anything
waiting       plans that wait for a person
decided       what a person decided stays decided
idle_nights   nights that had nothing to do, hence no plan
"""
