import { describeBackupDamage } from '#test/suites/backup-damage.ts'

describeBackupDamage()
