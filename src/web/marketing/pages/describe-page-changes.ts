import { blockTitle, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { describeDifferences } from '#web/ui/record/differences.ts'
import { sumUpBlock } from './sum-up-block.ts'

/** What versions of a page are compared by. An editor has '' instead of null. */
export type ComparedPage = Readonly<{
  title: string
  description: string | null
  blocks: readonly StoredBlock[]
  startsOn: string | null
  endsOn: string | null
}>

const LABELS = {
  title: 'Title',
  description: 'Description',
  startsOn: 'First day',
  endsOn: 'Last day',
} as const
const FIELDS = ['title', 'description', 'startsOn', 'endsOn'] as const

/** What changed from one state of a page to another, as sentences. */
export function describePageChanges(before: ComparedPage, after: ComparedPage): string[] {
  const fields = FIELDS.flatMap((name) => describeText(LABELS[name], before[name], after[name]))
  return [...fields, ...describeBlocks(before.blocks, after.blocks)]
}

/** "Title: Trucks instead of none"; nothing if it is the same. */
export function describeText(label: string, before: string | null, after: string | null): string[] {
  const [was, is] = [before || 'none', after || 'none']
  return was === is ? [] : [`${label}: ${is} instead of ${was}`]
}

/** "Text · Family owned since 1974". */
export const nameBlock = (block: StoredBlock): string =>
  [blockTitle(block.type), sumUpBlock(block)].filter(Boolean).join(' · ')

/** What changed from some blocks to others, as sentences. */
export function describeBlocks(before: readonly StoredBlock[], after: readonly StoredBlock[]): string[] {
  const former = new Map(before.map((block) => [block.id, block]))
  const present = new Set(after.map(({ id }) => id))
  const removed = before.filter(({ id }) => !present.has(id)).map((block) => `${nameBlock(block)} removed`)
  const changed = after.flatMap((block) => {
    const was = former.get(block.id)
    if (was === undefined) return [`${nameBlock(block)} added`]
    if (isEqual(was, block)) return []
    return describeDifferences(was.data, block.data).map((words) => `${blockTitle(block.type)}, ${words}`)
  })
  const orderOf = (blocks: readonly StoredBlock[], others: readonly StoredBlock[]) =>
    blocks.filter(({ id }) => others.some((one) => one.id === id)).map(({ id }) => id)
  const isMoved = !isEqual(orderOf(before, after), orderOf(after, before))
  return [...removed, ...changed, ...(isMoved ? ['Blocks are in another order'] : [])]
}
