import { type Block, readBlock, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { count, formatDate } from '#web/ui/layout/date-format.ts'

/** What a block says in a few words, beside its type. */
export function sumUpBlock(stored: StoredBlock): string {
  const read = readBlock(stored)
  if (read.state === 'unknown') return 'Not known to this version'
  return read.state === 'wrong' ? 'Can’t be read' : wordsOf(read.block)
}

function wordsOf(block: Block): string {
  switch (block.type) {
    case 'hero':
      return block.data.title
    case 'text':
      return block.data.heading || start(block.data.text)
    case 'picture':
      return block.data.caption || block.data.picture.alt
    case 'vehicles':
      return [
        block.data.heading,
        block.data.source === 'chosen'
          ? count(block.data.vehicleIds.length, 'vehicle', 'vehicles')
          : `up to ${block.data.most} by filter`,
      ]
        .filter(Boolean)
        .join(', ')
    case 'vehicle':
      return block.data.heading || (block.data.vehicleId === null ? '' : 'One vehicle')
    case 'gallery':
      return list(block.data.heading, block.data.pictures, ['picture', 'pictures'])
    case 'columns':
      return list(block.data.heading, block.data.columns, ['column', 'columns'])
    case 'questions':
      return list(block.data.heading, block.data.items, ['question', 'questions'])
    case 'countdown':
      return [block.data.heading, block.data.endsOn && `until ${formatDate(block.data.endsOn)}`]
        .filter(Boolean)
        .join(', ')
    case 'action':
      return block.data.heading || start(block.data.text)
    case 'form':
      return block.data.heading || (block.data.formKey && `/f/${block.data.formKey}`)
    case 'hours':
    case 'map':
      return block.data.heading
    case 'staff':
      return list(block.data.heading, block.data.people, ['entry', 'entries'])
    case 'specials':
      return list(block.data.heading, block.data.items, ['special', 'specials'])
    default:
      return start(block.data.text)
  }
}

const list = (heading: string, rows: readonly unknown[], nouns: readonly [string, string]): string =>
  [heading, count(rows.length, ...nouns)].filter(Boolean).join(', ')

const start = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
