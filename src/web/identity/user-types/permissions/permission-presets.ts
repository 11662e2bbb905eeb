import { Opr, type OprNumber } from '#contract/permissions.ts'
import { cellOf, type Cells, isLocked, type Matrix, permissionsOf, type Row } from './matrix.ts'

export const PRESETS = ['none', 'see', 'edit', 'full'] as const
export type Preset = (typeof PRESETS)[number]

/** Labels of the presets. */
export const PRESET_NAMES: Record<Preset | 'custom', string> = {
  none: 'None',
  see: 'View',
  edit: 'Edit',
  full: 'Full',
  custom: 'Custom',
}

const VIEW: readonly OprNumber[] = [Opr.list, Opr.read]
const EDIT: readonly OprNumber[] = [...VIEW, Opr.create, Opr.update]

/** The operations that a preset grants, of those a function has. */
export function operationsOf(preset: Preset, operations: readonly OprNumber[]): OprNumber[] {
  if (preset === 'full') return [...operations]
  const granted: Record<'none' | 'see' | 'edit', readonly OprNumber[]> = { none: [], see: VIEW, edit: EDIT }
  return operations.filter((opr) => granted[preset].includes(opr))
}

/** The presets that differ for this function: if there is nothing to edit, "edit" isn't offered. */
export function presetsFor({ operations }: Row): Preset[] {
  return PRESETS.filter((preset, index) => {
    const before = PRESETS[index - 1]
    return (
      before === undefined ||
      operationsOf(preset, operations).length > operationsOf(before, operations).length
    )
  })
}

export type Level = { preset: Preset | 'custom'; extras: number }

/**
 * The highest preset that a row covers, and the number of extra operations: "View" with export is View + 1.
 * `custom` if only part of editing is granted, or anything without viewing.
 */
export function levelOf({ wanted }: Pick<Matrix, 'wanted'>, row: Row): Level {
  const granted = permissionsOf(row)
    .filter((one) => wanted.has(cellOf(one)))
    .map(({ opr }) => opr)
  const preset = presetsFor(row).findLast((one) =>
    operationsOf(one, row.operations).every((opr) => granted.includes(opr)),
  )
  const base: readonly number[] = operationsOf(preset ?? 'none', row.operations)
  const extras = granted.filter((opr) => !base.includes(opr))
  const parts: readonly number[] = EDIT
  const isPartial = preset === 'none' ? extras.length > 0 : extras.some((opr) => parts.includes(opr))
  return isPartial || preset === undefined
    ? { preset: 'custom', extras: 0 }
    : { preset, extras: extras.length }
}

/** "View", "View + 1", "Custom". */
export function nameLevel({ preset, extras }: Level): string {
  return extras === 0 ? PRESET_NAMES[preset] : `${PRESET_NAMES[preset]} + ${extras}`
}

/** The wanted set with a preset applied to one row. Locked cells don't change. */
export function applyPreset(matrix: Matrix, row: Row, preset: Preset): Cells {
  const granted: readonly number[] = operationsOf(preset, row.operations)
  const wanted = new Set(matrix.wanted)
  for (const permission of permissionsOf(row)) {
    if (isLocked(matrix, permission)) continue
    if (granted.includes(permission.opr)) wanted.add(cellOf(permission))
    else wanted.delete(cellOf(permission))
  }
  return wanted
}
