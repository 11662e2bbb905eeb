import { type Block, readBlock, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { count } from '#web/ui/layout/date-format.ts'

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
    case 'form':
      return block.data.heading || (block.data.formKey && `/f/${block.data.formKey}`)
    case 'hours':
    case 'map':
      return block.data.heading
    case 'staff':
      return [block.data.heading, count(block.data.people.length, 'entry', 'entries')]
        .filter(Boolean)
        .join(', ')
    case 'specials':
      return [block.data.heading, count(block.data.items.length, 'special', 'specials')]
        .filter(Boolean)
        .join(', ')
    default:
      return start(block.data.text)
  }
}

const start = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
