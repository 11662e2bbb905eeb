import { IconFile, IconFileTypePdf, IconMovie, IconPhoto } from '@tabler/icons-react'

/** The icon of a file type; `size` in px. */
export function FileIcon({ type, size }: { type: string; size: number }) {
  const look = { size, stroke: 1.6, 'aria-hidden': true } as const
  if (type === 'application/pdf') return <IconFileTypePdf {...look} />
  if (type.startsWith('image/')) return <IconPhoto {...look} />
  return type.startsWith('video/') ? <IconMovie {...look} /> : <IconFile {...look} />
}
