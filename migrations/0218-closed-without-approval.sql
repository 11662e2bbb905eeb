-- Closing an assessment closes what was approved. What was only submitted stays submitted: nobody approved it.
update assessment_targets set state = 'submitted', closed_from = null where state = 'closed' and closed_from = 'submitted';
