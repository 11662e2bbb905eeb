import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { files } from '#contract/files/files.ts'
import { keyOf } from '#web/api/query.ts'
import { fetchBlob } from './file-manager.ts'
import { fetchLimited, type LoadPicture } from './use-pictures.ts'

/** How long a fetched picture is reused. */
const CACHE_MS = 600_000
/** Pictures are fetched when they are this close to the viewport. */
const AHEAD = '200px'

const THUMBNAIL = 320
const loadThumbnail: LoadPicture = (path, signal) => fetchBlob(path, signal, THUMBNAIL)

type Props = {
  /** Path of a media file; null if there is none. */
  path: string | null
  className: string
  /** Fetches it; by default from the media library. */
  load?: LoadPicture
  /** Fallback without a picture, or until it has loaded. */
  children: ReactNode
}

/** A thumbnail, fetched when it scrolls into view and shared by all rows that show it. */
export function LazyPicture({ path, className, load = loadThumbnail, children }: Props) {
  const [isNear, setIsNear] = useState(false)
  const { data: picture } = useQuery({
    queryKey: [...keyOf(files.download), { path }],
    queryFn: ({ signal }) => fetchLimited(path ?? '', signal, load),
    enabled: isNear && path !== null,
    staleTime: CACHE_MS,
    gcTime: CACHE_MS,
  })
  const watch = useCallback((place: HTMLSpanElement) => {
    const watcher = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return
        setIsNear(true)
        watcher.disconnect()
      },
      { rootMargin: AHEAD },
    )
    watcher.observe(place)
    return () => watcher.disconnect()
  }, [])
  return (
    <span ref={watch} className={className} {...(!picture && { 'data-empty': true })}>
      {picture ? <BlobPicture picture={picture} /> : children}
    </span>
  )
}

/** The browser keeps the object URL alive while the picture is shown. */
function BlobPicture({ picture }: { picture: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(picture)
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [picture],
  )
  return <img ref={show} alt="" />
}
