import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type Matrix, type Row, isLocked, permissionsOf } from './matrix.ts'
import { type Preset, PRESET_NAMES, levelOf, nameLevel, presetsFor } from './permission-presets.ts'

type Props = {
  matrix: Matrix
  row: Row
  isReadOnly: boolean
  onPick: (preset: Preset) => void
  tabIndex?: number
}

/** The preset of a row. Its menu sets all cells of the row that the caller may change. */
export function PresetMenu({ matrix, row, isReadOnly, onPick, tabIndex }: Props) {
  const level = levelOf(matrix, row)
  const { preset, extras } = level
  const hasOpenCell = permissionsOf(row).some((one) => !isLocked(matrix, one))
  const target = (
    <UnstyledButton
      className={preset === 'none' ? 'fc-preset fc-faint' : 'fc-preset'}
      data-spot={`${row.func} 0`}
      aria-label={`Preset for ${row.title}: ${nameLevel(level)}`}
      {...(tabIndex !== undefined && { tabIndex })}
      {...((isReadOnly || !hasOpenCell) && { 'aria-disabled': true })}
    >
      {nameLevel(level)}
      {!isReadOnly && hasOpenCell && <IconChevronDown size={14} aria-hidden="true" />}
    </UnstyledButton>
  )
  if (isReadOnly || !hasOpenCell) return target
  return (
    <Menu position="bottom-start" width={140}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {presetsFor(row).map((one) => (
          <Menu.Item
            key={one}
            onClick={() => onPick(one)}
            {...(one === preset && extras === 0 && { 'aria-current': true })}
          >
            {PRESET_NAMES[one]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
