import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Block, BlockOf, BlockPicture } from '#contract/marketing/pages/blocks.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { ChooseFromMedia } from '#web/ui/files/picker/ChooseFromMedia.tsx'
import { LazyPicture } from '#web/ui/files/media/LazyPicture.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { VehiclesFields } from './VehiclesFields.tsx'
import '#web/ui/files/picker/picker.css'

type Of<B> = { block: B; isReadOnly: boolean; onChange: (block: B) => void }

/** The fields of an open block. */
export function BlockFields({ block, ...rest }: Of<Block>) {
  switch (block.type) {
    case 'hero':
      return <HeroFields block={block} {...rest} />
    case 'text':
      return (
        <TextFields block={block} {...rest}>
          A blank line starts a paragraph. Lines that start with a hyphen are a list.
        </TextFields>
      )
    case 'picture':
      return <PictureFields block={block} {...rest} />
    case 'vehicles':
      return <VehiclesFields block={block} {...rest} />
    case 'form':
      return <FormFields block={block} {...rest} />
    case 'hours':
    case 'map':
      return <LotFields block={block} {...rest} />
    case 'staff':
      return <StaffFields block={block} {...rest} />
    case 'specials':
      return <SpecialsFields block={block} {...rest} />
    default:
      return (
        <Textarea
          label="Text"
          value={block.data.text}
          readOnly={rest.isReadOnly}
          autosize
          minRows={3}
          maxLength={5_000}
          onChange={({ currentTarget: { value: text } }) => rest.onChange({ ...block, data: { text } })}
        />
      )
  }
}

type LineProps = {
  label: string
  value: string
  most: number
  isReadOnly: boolean
  help?: string
  onChange: (value: string) => void
}

function Line({ label, value, most, isReadOnly, help, onChange }: LineProps) {
  return (
    <TextInput
      label={label}
      value={value}
      readOnly={isReadOnly}
      maxLength={most}
      autoComplete="off"
      {...(help !== undefined && { description: <bdi>{help}</bdi> })}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function HeroFields({ block, isReadOnly, onChange }: Of<BlockOf<'hero'>>) {
  const { title, text, picture, button } = block.data
  const change = (data: Partial<typeof block.data>) =>
    onChange({ ...block, data: { ...block.data, ...data } })
  return (
    <>
      <Line
        label="Title"
        value={title}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => change({ title: next })}
      />
      <Textarea
        label="Text"
        value={text}
        readOnly={isReadOnly}
        maxLength={400}
        autosize
        minRows={2}
        onChange={({ currentTarget }) => change({ text: currentTarget.value })}
      />
      <PictureInputs
        picture={picture}
        isReadOnly={isReadOnly}
        onChange={(next) => change({ picture: next })}
      />
      <Line
        label="Button"
        value={button.label}
        most={60}
        isReadOnly={isReadOnly}
        onChange={(label) => change({ button: { ...button, label } })}
      />
      <Line
        label="Link of the button"
        value={button.href}
        most={2_000}
        isReadOnly={isReadOnly}
        help="A page such as /f/test-drive or /?make=Ford, #ask for the form below, or https://, mailto: or tel:"
        onChange={(href) => change({ button: { ...button, href } })}
      />
    </>
  )
}

function TextFields({
  block,
  isReadOnly,
  onChange,
  children,
}: Of<BlockOf<'text'>> & { children: ReactNode }) {
  const { heading, text } = block.data
  return (
    <>
      <Line
        label="Heading"
        value={heading}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { heading: next, text } })}
      />
      <Textarea
        label="Text"
        value={text}
        readOnly={isReadOnly}
        maxLength={5_000}
        autosize
        minRows={4}
        maxRows={16}
        description={<bdi>{children}</bdi>}
        onChange={({ currentTarget: { value } }) => onChange({ ...block, data: { heading, text: value } })}
      />
    </>
  )
}

function PictureFields({ block, isReadOnly, onChange }: Of<BlockOf<'picture'>>) {
  const { picture, caption } = block.data
  return (
    <>
      <PictureInputs
        picture={picture}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { caption, picture: next } })}
      />
      <Line
        label="Caption"
        value={caption}
        most={300}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { picture, caption: next } })}
      />
    </>
  )
}

type PictureProps = { picture: BlockPicture; isReadOnly: boolean; onChange: (picture: BlockPicture) => void }

/** A picture of the media library with its words for people who can't see it. */
function PictureInputs({ picture, isReadOnly, onChange }: PictureProps) {
  const { path, alt } = picture
  return (
    <>
      <Group gap={12} align="center">
        {path !== '' && (
          <LazyPicture path={path} className="fc-thumb">
            {null}
          </LazyPicture>
        )}
        <Stack gap={6}>
          <Text size="sm" c={path === '' ? 'dimmed' : 'var(--fc-ink)'}>
            <bdi>{path === '' ? 'No picture' : path.split('/').at(-1)}</bdi>
          </Text>
          {!isReadOnly && (
            <Group gap={8}>
              <ChooseFromMedia
                kind="picture"
                isMany={false}
                most={20_000_000}
                label={path === '' ? 'Choose picture' : 'Choose another picture'}
                onChoose={([leaf]) => leaf !== undefined && onChange({ path: leaf.path, alt })}
              >
                {path === '' ? 'Choose picture' : 'Choose another'}
              </ChooseFromMedia>
              {path !== '' && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => onChange({ path: '', alt: '' })}
                >
                  Remove picture
                </Button>
              )}
            </Group>
          )}
        </Stack>
      </Group>
      {path !== '' && (
        <Line
          label="Alternative text"
          value={alt}
          most={200}
          isReadOnly={isReadOnly}
          help="What the picture shows, for people who can’t see it."
          onChange={(next) => onChange({ path, alt: next })}
        />
      )}
    </>
  )
}

function FormFields({ block, isReadOnly, onChange }: Of<BlockOf<'form'>>) {
  const { heading, formKey } = block.data
  const { rows, search } = useSearchable(forms.list, { sort: 'name' })
  const known = rows.map(({ key, name, status }) => ({
    value: key,
    label: status === 'published' ? name : `${name} (${status})`,
  }))
  const choices =
    formKey === '' || known.some(({ value }) => value === formKey)
      ? known
      : [{ value: formKey, label: formKey }, ...known]
  return (
    <>
      <Line
        label="Heading"
        value={heading}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { heading: next, formKey } })}
      />
      <Select
        label="Form"
        value={formKey || null}
        data={choices}
        readOnly={isReadOnly}
        searchable={!isReadOnly}
        onSearchChange={search}
        nothingFoundMessage="No forms found"
        description={<bdi>Its leads name this page, the campaign and the short URL that led here.</bdi>}
        onChange={(key) => onChange({ ...block, data: { heading, formKey: key ?? '' } })}
      />
    </>
  )
}

function LotFields({ block, isReadOnly, onChange }: Of<BlockOf<'hours'> | BlockOf<'map'>>) {
  const { heading, lotId } = block.data
  const { choices, search } = useLotNames()
  const all =
    lotId === null || choices.some(({ value }) => value === lotId)
      ? choices
      : [{ value: lotId, label: 'Not available to you' }, ...choices]
  return (
    <>
      <Line
        label="Heading"
        value={heading}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { lotId, heading: next } })}
      />
      <Select
        label="Lot"
        value={lotId}
        data={all}
        readOnly={isReadOnly}
        searchable={!isReadOnly}
        onSearchChange={search}
        nothingFoundMessage="No lots found"
        description={<bdi>Visitors see what the lot says. A lot that isn’t on public pages isn’t shown.</bdi>}
        onChange={(id) => onChange({ ...block, data: { heading, lotId: id } })}
      />
    </>
  )
}

type Items<T> = {
  rows: readonly T[]
  noun: string
  isReadOnly: boolean
  blank: T
  onChange: (rows: T[]) => void
  children: (row: T, change: (row: T) => void) => ReactNode
}

/** A list inside a block. */
function ItemList<T>({ rows, noun, isReadOnly, blank, onChange, children }: Items<T>) {
  return (
    <>
      {rows.map((row, at) => (
        <Stack
          key={at}
          gap={8}
          component="section"
          aria-label={`${noun} ${at + 1}`}
          pb={12}
          style={UNDERLINE}
        >
          {children(row, (next) => onChange(rows.with(at, next)))}
          {!isReadOnly && (
            <Group>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${noun} ${at + 1}`}
                onClick={() => onChange(rows.toSpliced(at, 1))}
              >
                Remove
              </Button>
            </Group>
          )}
        </Stack>
      ))}
      {!isReadOnly && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => onChange([...rows, blank])}
          >
            Add {noun}
          </Button>
        </Group>
      )}
    </>
  )
}

const UNDERLINE = { borderBlockEnd: '1px solid var(--fc-line)' } as const
const PERSON = { name: '', role: '', phone: '', email: '' }
const PERSON_LABELS = { name: 'Name', role: 'Role or department', phone: 'Phone', email: 'Email' } as const

function StaffFields({ block, isReadOnly, onChange }: Of<BlockOf<'staff'>>) {
  const { heading, people } = block.data
  return (
    <>
      <Line
        label="Heading"
        value={heading}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { people, heading: next } })}
      />
      <ItemList
        rows={people}
        noun="person"
        blank={PERSON}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { heading, people: next } })}
      >
        {(person, change) =>
          (['name', 'role', 'phone', 'email'] as const).map((name) => (
            <Line
              key={name}
              label={PERSON_LABELS[name]}
              value={person[name]}
              most={name === 'phone' ? 40 : 100}
              isReadOnly={isReadOnly}
              onChange={(value) => change({ ...person, [name]: value })}
            />
          ))
        }
      </ItemList>
    </>
  )
}

const SPECIAL = { title: '', saving: '', text: '', endsOn: '', terms: '' }

function SpecialsFields({ block, isReadOnly, onChange }: Of<BlockOf<'specials'>>) {
  const { heading, items } = block.data
  return (
    <>
      <Line
        label="Heading"
        value={heading}
        most={120}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { items, heading: next } })}
      />
      <ItemList
        rows={items}
        noun="special"
        blank={SPECIAL}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange({ ...block, data: { heading, items: next } })}
      >
        {(item, change) => (
          <>
            <Line
              label="Title"
              value={item.title}
              most={120}
              isReadOnly={isReadOnly}
              onChange={(title) => change({ ...item, title })}
            />
            <Line
              label="Saving"
              value={item.saving}
              most={60}
              isReadOnly={isReadOnly}
              help="Such as $20 off or 15% off. Prices of vehicles come from the price engine."
              onChange={(saving) => change({ ...item, saving })}
            />
            <Line
              label="Text"
              value={item.text}
              most={600}
              isReadOnly={isReadOnly}
              onChange={(text) => change({ ...item, text })}
            />
            <TextInput
              label="Last day"
              type="date"
              value={item.endsOn}
              readOnly={isReadOnly}
              max="2100-12-31"
              onChange={({ currentTarget }) => change({ ...item, endsOn: currentTarget.value })}
            />
            <Line
              label="Terms"
              value={item.terms}
              most={1_000}
              isReadOnly={isReadOnly}
              onChange={(terms) => change({ ...item, terms })}
            />
          </>
        )}
      </ItemList>
    </>
  )
}
