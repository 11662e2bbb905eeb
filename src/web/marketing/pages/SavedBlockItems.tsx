import { Menu, Text } from '@mantine/core'
import { blockTitle, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { savedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { nameBlock } from './describe-page-changes.ts'

type Props = {
  /** Types that may be added; empty: all. */
  allowed: readonly string[]
  onInsert: (name: string, blocks: readonly StoredBlock[]) => void
}

/** What was saved for reuse, in a menu that adds blocks. What the layout doesn't allow can't be chosen, and the server rejects it. */
export function SavedBlockItems({ allowed, onInsert }: Props) {
  const { rows, error } = useSearchable(savedBlocks.list, { sort: 'name' })
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Saved for reuse</Menu.Label>
      {error !== null && <Menu.Item disabled>{error.message}</Menu.Item>}
      {rows.map(({ id, name, blocks }) => {
        const wrong = blocks.find(({ type }) => allowed.length > 0 && !allowed.includes(type))
        return (
          <Menu.Item key={id} disabled={wrong !== undefined} onClick={() => onInsert(name, blocks)}>
            <Text size="sm" fw={600}>
              <bdi>{name}</bdi>
            </Text>
            <Text size="xs" c="dimmed">
              <bdi>
                {wrong === undefined
                  ? blocks.map(nameBlock).join(', ')
                  : `The layout doesn’t allow blocks of the type ${blockTitle(wrong.type)}.`}
              </bdi>
            </Text>
          </Menu.Item>
        )
      })}
      <Menu.Item component={Link} to="/administration/saved-blocks">
        Manage saved blocks
      </Menu.Item>
    </>
  )
}
