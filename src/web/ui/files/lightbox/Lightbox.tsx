import Album from 'yet-another-react-lightbox'
import Captions from 'yet-another-react-lightbox/plugins/captions'
import Download from 'yet-another-react-lightbox/plugins/download'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { type AlbumItem, checkAlbum, FADE_MS, ZOOM_FACTOR } from './album.ts'
import 'yet-another-react-lightbox/styles.css'
import 'yet-another-react-lightbox/plugins/captions.css'
import './lightbox.css'

type Props = {
  album: readonly AlbumItem[]
  /** Index of the picture shown. */
  index: number
  onView: (index: number) => void
  onClose: () => void
  /** Downloads a picture; without it, the browser opens its address. */
  onDownload?: (index: number) => void
}

/**
 * Shows pictures full screen, one at a time. Heavy: loaded when the first one is opened.
 * @throws Error if the album is empty or an item has no source.
 */
export function Lightbox({ album, index, onView, onClose, onDownload }: Props) {
  const slides = checkAlbum(album).map(({ src, caption, downloadUrl }) => ({
    src,
    alt: caption,
    description: <bdi>{caption}</bdi>,
    download: { url: downloadUrl ?? src, filename: caption },
  }))
  return (
    <Album
      open
      close={onClose}
      slides={slides}
      index={index}
      plugins={[Captions, Download, Zoom]}
      animation={{ fade: FADE_MS, swipe: FADE_MS }}
      carousel={{ finite: true }}
      controller={{ closeOnBackdropClick: true }}
      zoom={{ zoomInMultiplier: ZOOM_FACTOR, maxZoomPixelRatio: 4 }}
      captions={{ descriptionTextAlign: 'center' }}
      {...(onDownload && { download: { download: () => onDownload(index) } })}
      on={{ view: (viewed) => viewed.index !== index && onView(viewed.index) }}
    />
  )
}
