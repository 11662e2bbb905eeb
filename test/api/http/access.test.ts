import { describeAccess } from '#test/suites/access.ts'

// What the other people may call is in test/prove/walks/access.prove.ts.
describeAccess([
  'anonymous',
  'super in Northgate',
  'northgate.dealer',
  'northgate.participant',
  'a participant of an assessment',
])
