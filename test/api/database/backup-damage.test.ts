import { describeBackupDamage, TYPICAL_DAMAGES } from '#test/suites/backup-damage.ts'

// All of them are tried by test/prove/input/backup-damage.prove.ts.
describeBackupDamage((name) => TYPICAL_DAMAGES.includes(name))
