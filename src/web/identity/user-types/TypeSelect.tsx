import { Select, type SelectProps } from '@mantine/core'
import type { UserTypeChoice } from '#contract/identity/user-types/user-types.ts'

type Props = Omit<SelectProps, 'data'> & {
  /** As returned by `usertypes-for-parent`, parents before children. */
  choices: readonly UserTypeChoice[]
}

/** A select of user types, indented by their depth in the tree. */
export function TypeSelect({ choices, ...select }: Props) {
  const depths = new Map(choices.map(({ id, depth }) => [id, depth]))
  return (
    <Select
      allowDeselect={false}
      {...select}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      renderOption={({ option }) => (
        <bdi style={{ paddingInlineStart: 16 * (depths.get(option.value) ?? 0) }}>{option.label}</bdi>
      )}
    />
  )
}
