"""What one statement tells to have become of the other.

turned        whether the turn that it tells of is a turn of what the other says
restated      whether it only says again what the other has turned to, or takes it back
handed, holder  something else holds the place now
hold          whether it lets go on what the other has stopped
chain         what broke was replaced, what was lost was found
reschedule…   a plan that gets another day or is called off; new_day: which day that is
due_day       the day of the month of a monthly duty
"""
