import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ShortUrl, shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { saveFile } from '#web/api/download.ts'
import { query } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { drawQrCode } from '#web/ui/controls/draw-qr-code.ts'
import { QrCode } from '#web/ui/controls/QrCode.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { VisitFigures } from '../visits/VisitFigures.tsx'
import { VisitsByDay } from '../visits/VisitsByDay.tsx'
import { ShortUrlState } from './ShortUrlState.tsx'
import { TargetAnswer } from './TargetAnswer.tsx'
import { VisitLists } from './VisitLists.tsx'

/** As the fields below. */
const GUTTER = 'var(--fc-gutter)'

/** What a saved short URL is and how it is used: its address, QR code and clicks. */
export function ShortUrlDetails({ saved }: { saved: ShortUrl }) {
  const address = addressOf(saved)
  return (
    <Stack gap={16} px={GUTTER} pt={16}>
      <Group gap={8}>
        <ShortUrlState status={saved.status} isPill />
        <Text size="sm" c="dimmed" component="span">
          <bdi>{saved.targetTitle}</bdi>
        </Text>
      </Group>
      {saved.target === 'url' && <LastCheck check={saved.check} />}
      {address === null ? (
        <Notice>
          Short URLs need a verified public domain. Add one under White label: until then this one has no
          address.
        </Notice>
      ) : (
        <>
          <CopyLink label="Address" verb="Copy" link={address} />
          <Codes address={address} name={saved.key} />
        </>
      )}
      <Loaded query={query(shortUrls.clicks, { id: saved.id })} what="the clicks" shape="fields">
        {(clicks) => (
          <>
            <VisitFigures visits={clicks} noun="clicks" />
            <VisitsByDay visits={clicks} title="Clicks by day" nouns={['click', 'clicks']} level={3} />
            <VisitLists clicks={clicks} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

/** What the web address answered last, and what may follow from it. */
function LastCheck({ check }: Pick<ShortUrl, 'check'>) {
  if (check === null)
    return (
      <Text size="sm" c="dimmed">
        The web address wasn't checked yet.
      </Text>
    )
  return (
    <Stack gap={4} component="section" aria-label="Web address">
      <TargetAnswer check={check} />
      <Text size="sm" c="dimmed">
        {check.reason !== null && <bdi>{check.reason} </bdi>}
        {check.redirectedTo !== null && <bdi>{check.redirectedTo} answered. </bdi>}
        {check.answer === 'refused' && 'It may still open for visitors. '}
        Checked {formatMoment(check.checkedAt)}.
      </Text>
    </Stack>
  )
}

function Codes({ address, name }: { address: string; name: string }) {
  const icon = <IconDownload size={16} aria-hidden="true" />
  return (
    <Group align="center" gap={16}>
      <QrCode text={address} label={`QR code of ${address}`} />
      <Stack gap={8}>
        <Text size="sm">Readable from 1 in. Opens this address.</Text>
        <Group gap={8}>
          <Button variant="default" leftSection={icon} onClick={() => saveFile(svgFile(address, name))}>
            SVG
          </Button>
          <Button
            variant="default"
            leftSection={icon}
            onClick={() => void pngFile(address, name).then(saveFile)}
          >
            PNG
          </Button>
        </Group>
      </Stack>
    </Group>
  )
}

/** The address that visitors open, with the scheme and port of this page; null without a verified public domain. */
function addressOf({ host, key }: Pick<ShortUrl, 'host' | 'key'>): string | null {
  if (host === null) return null
  const { protocol, port } = location
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}/s/${key}`
}

/** Sharp when it is printed 4 in wide. */
const PNG_PIXELS = 1_200

/** The QR code of an address as an SVG file, for print shops. */
function svgFile(address: string, name: string): File {
  const { side, path } = drawQrCode(address)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${path}"/></svg>\n`
  return new File([svg], `${name}.svg`, { type: 'image/svg+xml' })
}

/** The QR code of an address as a PNG file, in whole pixels for each module. */
async function pngFile(address: string, name: string): Promise<File> {
  const { side, path } = drawQrCode(address)
  const scale = Math.ceil(PNG_PIXELS / side)
  const canvas = new OffscreenCanvas(side * scale, side * scale)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser draws no pictures.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(scale, scale)
  context.fillStyle = '#000'
  context.clip(new Path2D(path))
  context.fillRect(0, 0, side, side)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], `${name}.png`, { type: 'image/png' })
}
