import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useCallback, useState } from 'react'
import { files } from '#contract/files/files.ts'
import { keyOf } from '#web/api/query.ts'
import { fetchThumbnail } from './file-manager.ts'
import { fetchLimited, type LoadPicture } from './use-pictures.ts'

/** How long a fetched picture is reused. */
const CACHE_MS = 600_000
/** Pictures are fetched when they are this close to the viewport. */
const AHEAD = '200px'

type Props = {
  /** Path of a media file; null if there is none. */
  path: string | null
  /** Changes with the content of the file. */
  version?: string
  /** Draws the box by a class, or in a size in px. */
  box: string | { width: number; height: number }
  /** Fetches it; by default from the media library. */
  load?: LoadPicture
  /** Fallback without a picture, or until it has loaded. */
  children: ReactNode
  /** Shown instead of a picture that there can't be one of; by default the fallback. */
  broken?: ReactNode
}

/**
 * A thumbnail, fetched while it is in view and shared by all rows that show it. What is scrolled past before its turn isn't fetched.
 */
export function LazyPicture({ path, version, box, load = fetchThumbnail, children, broken }: Props) {
  const [isNear, setIsNear] = useState(false)
  const watch = useCallback((place: HTMLSpanElement) => {
    const watcher = new IntersectionObserver((seen) => setIsNear(seen.at(-1)?.isIntersecting === true), {
      rootMargin: AHEAD,
    })
    watcher.observe(place)
    return () => watcher.disconnect()
  }, [])
  return (
    <span ref={watch} {...drawBox(box)}>
      {isNear && path !== null ? (
        <Fetched
          {...{ path, version, load }}
          broken={broken ?? children}
          image={typeof box === 'string' ? {} : FILLS}
        >
          {children}
        </Fetched>
      ) : (
        children
      )}
    </span>
  )
}

function drawBox(box: Props['box']): { className: string } | { style: CSSProperties } {
  if (typeof box === 'string') return { className: box }
  const size = { inlineSize: box.width, blockSize: box.height, flex: 'none', overflow: 'hidden' }
  const look = { display: 'grid', placeItems: 'center', borderRadius: 4, background: 'var(--fc-sunken)' }
  return { style: { ...size, ...look } }
}

type FetchedProps = {
  path: string
  version: string | undefined
  load: LoadPicture
  broken: ReactNode
  image: CSSProperties
  children: ReactNode
}

const FILLS: CSSProperties = { inlineSize: '100%', blockSize: '100%', minBlockSize: 0, objectFit: 'contain' }

function Fetched({ path, version, load, broken, image, children }: FetchedProps) {
  const { data: picture } = useQuery({
    queryKey: [...keyOf(files.download), { path, version }],
    queryFn: ({ signal }) => fetchLimited(path, signal, load),
    // Too many of the customer's pictures are being made.
    retry: (times, { status }) => status === 503 && times < 5,
    staleTime: CACHE_MS,
    gcTime: CACHE_MS,
  })
  if (picture === null) return broken
  return picture === undefined ? children : <BlobPicture picture={picture} image={image} />
}

/** The browser keeps the object URL alive while the picture is shown. */
function BlobPicture({ picture, image }: { picture: Blob; image: CSSProperties }) {
  const show = useCallback(
    (shown: HTMLImageElement) => {
      const address = URL.createObjectURL(picture)
      shown.src = address
      return () => URL.revokeObjectURL(address)
    },
    [picture],
  )
  return <img ref={show} alt="" style={image} />
}
