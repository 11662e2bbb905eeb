import { describeAccess } from '#test/suites/access.ts'

// What the other people may call is in test/prove/walks/access.prove.ts.
describeAccess(['anonymous', 'northgate.dealer'])
