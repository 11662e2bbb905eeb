import { describeBackupDamage, TYPICAL_DAMAGES } from '#test/suites/backup-damage.ts'

// test/prove/input/backup-damage.prove.ts tries all of them.
describeBackupDamage((name) => TYPICAL_DAMAGES.includes(name))
