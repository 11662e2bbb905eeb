import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { files } from '#contract/files/files.ts'
import { keyOf } from '#web/api/query.ts'
import { fetchLimited } from './use-pictures.ts'

/** How long a picture that was fetched serves every place that shows it. */
const KEPT_MS = 600_000
/** So far below the edge a picture is fetched before it is seen. */
const AHEAD = '200px'

type Props = {
  /** Of a file in the media; null: there is none to show. */
  path: string | null
  className: string
  /** What stands there without a picture, or until it is there. */
  children: ReactNode
}

/** A small picture of the media that is fetched when it comes into view, once for all rows that show it. */
export function LazyPicture({ path, className, children }: Props) {
  const [isNear, setIsNear] = useState(false)
  const { data: picture } = useQuery({
    queryKey: [...keyOf(files.download), { path }],
    queryFn: ({ signal }) => fetchLimited(path ?? '', signal),
    enabled: isNear && path !== null,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
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

/** The browser keeps the address of a picture for as long as it is shown. */
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
