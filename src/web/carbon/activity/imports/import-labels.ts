import type { ImportLine } from '#contract/carbon/activity/activity-imports.ts'
import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'

export const LINE_STATE_NAMES: Readonly<Record<ImportLine['state'], string>> = {
  ready: 'Ready to import',
  known: 'Already imported',
  left: 'Left out',
  open: 'Waiting',
  refused: 'Rejected',
}

export const LINE_STATE_LOOKS = {
  ready: { tone: 'good', mark: 'check' },
  known: { tone: 'mute', mark: 'dash' },
  left: { tone: 'mute', mark: 'pause' },
  open: { tone: 'warn', mark: 'wait' },
  refused: { tone: 'bad', mark: 'cross' },
} as const

export const DECIMAL_CHOICES: readonly { value: FileFormat['decimal']; label: string }[] = [
  { value: '.', label: '1,234.56' },
  { value: ',', label: '1.234,56' },
]

export const ORDER_CHOICES: readonly { value: FileFormat['order']; label: string }[] = [
  { value: 'dmy', label: '31/01/2025, day first' },
  { value: 'mdy', label: '01/31/2025, month first' },
  { value: 'ymd', label: '2025-01-31, year first' },
]
