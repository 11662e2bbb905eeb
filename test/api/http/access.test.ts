import { describeAccess } from '#test/suites/access.ts'

// What the other people may call is in test/prove/walks/access.prove.ts.
describeAccess(['anonymous', 'super in Northgate', 'northgate.dealer', 'a participant of an assessment'])
