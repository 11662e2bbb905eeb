import { ActionIcon, Box, Button, Group, Menu, Stack, Text, UnstyledButton } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconLock,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { type KeyboardEvent, type ComponentProps, type ReactNode, useRef } from 'react'
import {
  BLOCK_TYPE_NAMES,
  BLOCK_TYPES,
  type BlockType,
  blankBlock,
  blockTitle,
  isBlockType,
  readBlock,
  storeBlock,
  type StoredBlock,
  textsOf,
} from '#contract/marketing/pages/blocks.ts'
import type { BlockFault } from '#contract/marketing/pages/check-blocks.ts'
import type { StepWords } from '#web/ui/history/use-record-history.ts'
import { savedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { MayCall } from '#web/ui/controls/MayCall.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { BlockFields } from './BlockFields.tsx'
import { SavedBlockItems } from './SavedBlockItems.tsx'
import { saveForReuse } from './SaveBlocksForm.tsx'
import { sumUpBlock } from './sum-up-block.ts'

type Props = {
  /** The name of the list for people who can't see it. */
  label: string
  blocks: readonly StoredBlock[]
  onChange: (blocks: StoredBlock[], step: StepWords) => void
  isReadOnly: boolean
  /** Types that may be added; empty: all. */
  allowed?: readonly string[]
  /** What keeps blocks from being saved or published. */
  faults: readonly BlockFault[]
  /** The message of the field. */
  error?: ReactNode
  /** Blocks that the layout puts before and after these. */
  locked?: Readonly<{ top: readonly StoredBlock[]; bottom: readonly StoredBlock[] }>
  /** The open block, if the page knows it. */
  open: string | null
  onOpen: (id: string | null) => void
}

const NO_LOCKED = { top: [], bottom: [] }

/**
 * The blocks of a page from top to bottom. One is open at a time and shows its fields in place. Blocks are moved with buttons or with
 * Alt and the arrow keys.
 */
export function BlockList(props: Props) {
  const { label, blocks, onChange, isReadOnly, faults, error, locked = NO_LOCKED, open, onOpen } = props
  const list = useRef<HTMLElement>(null)
  /** After React has rendered the change. */
  const focus = (id: string, part = 'data-toggle') =>
    void requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-block="${id}"] [${part}]`)?.focus(),
    )

  function move(at: number, by: -1 | 1) {
    const block = blocks[at]
    const to = at + by
    if (block === undefined || to < 0 || to >= blocks.length) return
    onChange(blocks.toSpliced(at, 1).toSpliced(to, 0, block), {
      says: `${blockTitle(block.type)} moved ${by < 0 ? 'up' : 'down'}`,
      what: null,
    })
    focus(block.id)
  }
  function add(type: BlockType) {
    const block = blankBlock(type, newId())
    onChange([...blocks, block], { says: `${blockTitle(type)} added`, what: null })
    onOpen(block.id)
    focus(block.id)
  }
  function insert(name: string, saved: readonly StoredBlock[]) {
    const copies = saved.map((block) => ({ ...block, id: newId() }))
    onChange([...blocks, ...copies], { says: `${name} inserted`, what: null })
    if (copies[0] !== undefined) focus(copies[0].id)
  }
  function remove(at: number) {
    const block = blocks[at]
    if (block === undefined) return
    const rest = blocks.toSpliced(at, 1)
    onChange(rest, { says: `${blockTitle(block.type)} removed`, what: null })
    const next = rest[at] ?? rest.at(-1)
    if (next === undefined)
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-add]')?.focus())
    else focus(next.id)
  }
  return (
    <section ref={list} aria-label={label} {...(error != null && { 'data-wrong': true })}>
      {error != null && (
        <Text size="sm" c="var(--fc-bad)" role="alert" pb={8}>
          <bdi>{error}</bdi>
        </Text>
      )}
      {locked.top.map((block) => (
        <LockedRow key={block.id} block={block} />
      ))}
      {blocks.length === 0 && (
        <Text size="sm" c="dimmed" py={12}>
          No blocks yet. Add the first one.
        </Text>
      )}
      {blocks.map((block, at) => (
        <BlockRow
          key={block.id}
          block={block}
          at={at}
          most={blocks.length}
          isOpen={open === block.id}
          isReadOnly={isReadOnly}
          fault={faults.find(({ id }) => id === block.id)?.message ?? null}
          onToggle={() => onOpen(open === block.id ? null : block.id)}
          onMove={(by) => move(at, by)}
          onRemove={() => remove(at)}
          onSave={() => void saveForReuse(blocks.slice(at))}
          onChange={(next) =>
            onChange(blocks.with(at, next), {
              says: `${blockTitle(block.type)} changed`,
              what: findTyped(block, next),
            })
          }
        />
      ))}
      {locked.bottom.map((block) => (
        <LockedRow key={block.id} block={block} />
      ))}
      {!isReadOnly && (
        <Box pt={12}>
          <AddMenu allowed={props.allowed ?? []} onAdd={add} onInsert={insert} />
        </Box>
      )}
    </section>
  )
}

/** The field of a block that was typed into; null if more than one text changed. */
function findTyped(before: StoredBlock, after: StoredBlock): string | null {
  const texts = (block: StoredBlock) =>
    textsOf(block.data).map(({ path, text }) => [path.join(' '), text] as const)
  const former = new Map(texts(before))
  const changed = texts(after).filter(([at, text]) => former.get(at) !== text)
  const [one, ...others] = changed
  return one === undefined || others.length > 0 ? null : `${before.id} ${one[0]}`
}

/** A block that the layout puts on the page. */
function LockedRow({ block }: { block: StoredBlock }) {
  return (
    <Group gap={10} py={8} px={8} wrap="nowrap" style={LINE}>
      <IconLock size={16} aria-hidden="true" style={STILL} />
      <Text size="sm" fw={600}>
        {blockTitle(block.type)}
      </Text>
      <span className="fc-cut fc-small fc-soft">
        <bdi>{sumUpBlock(block)}</bdi>
      </span>
      <Text size="xs" c="dimmed" ms="auto" style={STILL}>
        Locked by the layout
      </Text>
    </Group>
  )
}

const LINE = { borderBlockEnd: '1px solid var(--fc-line)' } as const

type RowProps = {
  block: StoredBlock
  at: number
  most: number
  isOpen: boolean
  isReadOnly: boolean
  fault: string | null
  onToggle: () => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onSave: () => void
  onChange: (block: StoredBlock) => void
}

function BlockRow({
  block,
  at,
  most,
  isOpen,
  isReadOnly,
  fault,
  onToggle,
  onMove,
  onRemove,
  onSave,
  onChange,
}: RowProps) {
  const name = `block ${at + 1}, ${blockTitle(block.type)}`
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const moveByKey = (event: KeyboardEvent) => {
    if (!event.altKey || isReadOnly || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    onMove(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <Stack gap={0} data-block={block.id} style={LINE} bg={isOpen ? 'var(--fc-brand-tint)' : 'transparent'}>
      <Group gap={4} px={8} wrap="nowrap" onKeyDown={moveByKey}>
        <UnstyledButton
          type="button"
          data-toggle
          aria-expanded={isOpen}
          onClick={onToggle}
          py={10}
          flex={1}
          miw={0}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        >
          <Group gap={10} wrap="nowrap">
            <Chevron size={16} className="fc-flip" aria-hidden="true" style={STILL} />
            <Text size="sm" fw={600} component="span" style={STILL}>
              {blockTitle(block.type)}
            </Text>
            <span className="fc-cut fc-small fc-soft">
              <bdi>{sumUpBlock(block)}</bdi>
            </span>
          </Group>
        </UnstyledButton>
        {fault !== null && (
          <Status tone="bad" mark="cross">
            <span className="fc-hidden">Has a problem</span>
          </Status>
        )}
        {!isReadOnly && (
          <>
            <ActionIcon aria-label={`Move ${name} up`} disabled={at === 0} onClick={() => onMove(-1)}>
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon aria-label={`Move ${name} down`} disabled={at === most - 1} onClick={() => onMove(1)}>
              <IconArrowDown size={16} />
            </ActionIcon>
            <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
              <IconTrash size={16} />
            </ActionIcon>
          </>
        )}
      </Group>
      {isOpen && (
        <Stack gap={12} px={8} pb={16} ps={34}>
          {fault !== null && (
            <Text size="sm" c="var(--fc-bad)">
              <bdi>{fault}</bdi>
            </Text>
          )}
          <OpenBlock block={block} isReadOnly={isReadOnly} onChange={onChange} />
          {!isReadOnly && (
            <Group>
              <Action for={savedBlocks.add} size="compact-sm" variant="default" onClick={onSave}>
                Save for reuse
              </Action>
            </Group>
          )}
        </Stack>
      )}
    </Stack>
  )
}

const STILL = { flex: 'none' } as const

function OpenBlock({ block, isReadOnly, onChange }: Pick<RowProps, 'block' | 'isReadOnly' | 'onChange'>) {
  const read = readBlock(block)
  if (read.state === 'known')
    return (
      <BlockFields
        block={read.block}
        isReadOnly={isReadOnly}
        onChange={(data) => onChange(storeBlock({ ...read.block, data }, { keepsSpaces: true }))}
      />
    )
  return (
    <Text size="sm">
      {read.state === 'unknown'
        ? 'This version of the product doesn’t know this type of block. Its content is kept as it is, and visitors don’t see it.'
        : `Its content can’t be shown: ${read.message} It is kept as it is.`}
    </Text>
  )
}

const newId = () => `b${crypto.randomUUID().slice(0, 8)}`

type AddProps = ComponentProps<typeof SavedBlockItems> & { onAdd: (type: BlockType) => void }

function AddMenu({ allowed, onAdd, onInsert }: AddProps) {
  const types = allowed.length === 0 ? BLOCK_TYPE_NAMES : allowed.filter(isBlockType)
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button data-add variant="default" leftSection={<IconPlus size={16} aria-hidden="true" />}>
          Add block
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={SCROLL}>
        {types.map((type) => (
          <Menu.Item key={type} onClick={() => onAdd(type)}>
            <Text size="sm" fw={600}>
              {BLOCK_TYPES[type].title}
            </Text>
            <Text size="xs" c="dimmed">
              {BLOCK_TYPES[type].about}
            </Text>
          </Menu.Item>
        ))}
        <MayCall for={savedBlocks.list}>
          <SavedBlockItems allowed={allowed} onInsert={onInsert} />
        </MayCall>
      </Menu.Dropdown>
    </Menu>
  )
}

const SCROLL = { overflowY: 'auto' } as const
