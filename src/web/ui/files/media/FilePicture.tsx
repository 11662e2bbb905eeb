import { IconFile, IconFileTypePdf, IconMovie, IconPhoto, IconPhotoOff } from '@tabler/icons-react'
import { type FileLeaf, files } from '#contract/files/files.ts'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { isPicture } from './file-format.ts'
import { LazyPicture } from './LazyPicture.tsx'
import type { ComponentProps } from 'react'

type Props = {
  leaf: FileLeaf
  box: ComponentProps<typeof LazyPicture>['box']
  /** Of an icon, in px. */ size: number
}

/** A small picture of a file, or the icon of its type. */
export function FilePicture({ leaf: { path, size: bytes, type, updatedAt }, box, size }: Props) {
  const mayRead = useMayCall(files.download)
  const look = { size, stroke: 1.6, 'aria-hidden': true } as const
  const isShown = mayRead && isPicture({ type })
  return (
    <LazyPicture
      path={isShown ? path : null}
      version={`${bytes} ${updatedAt}`}
      box={box}
      broken={<IconPhotoOff {...look} />}
    >
      {isShown ? <IconPhoto {...look} /> : <FileIcon type={type} size={size} />}
    </LazyPicture>
  )
}

function FileIcon({ type, size }: { type: string; size: number }) {
  const look = { size, stroke: 1.6, 'aria-hidden': true } as const
  if (type === 'application/pdf') return <IconFileTypePdf {...look} />
  if (type.startsWith('image/')) return <IconPhoto {...look} />
  return type.startsWith('video/') ? <IconMovie {...look} /> : <IconFile {...look} />
}
