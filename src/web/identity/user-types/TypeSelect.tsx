import { Select, type SelectProps } from '@mantine/core'
import type { UserTypeChoice } from '#contract/identity/user-types/user-types.ts'

type Props = Omit<SelectProps, 'data'> & {
  /** As `usertypes-for-parent` answers them, parents before children. */
  choices: readonly UserTypeChoice[]
}

/** One user type of the tree, each as far from the edge as it is deep. */
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
