import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconPhotoOff, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import type { FileLeaf } from '#contract/files/files.ts'
import {
  type Block,
  BLOCK_DATA,
  type BlockOf,
  type BlockPicture,
  type BlockType,
} from '#contract/marketing/pages/blocks.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { capitalize } from '#contract/capitalize.ts'
import { isRecord } from '#contract/questions/reading/reading.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { ChooseFromMedia } from '#web/ui/files/picker/ChooseFromMedia.tsx'
import { LazyPicture } from '#web/ui/files/media/LazyPicture.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { VehicleFields, VehiclesFields } from './VehiclesFields.tsx'
import '#web/ui/files/picker/picker.css'

/** The content of a block, or of a row of a list in it. */
type Data = Readonly<Record<string, unknown>>

type FieldOf<Name extends string> = Readonly<{ name: Name; label: string; help?: string }> &
  (
    | Readonly<{ kind: 'line' | 'day' | 'picture' | 'button' | 'lot' | 'form' }>
    | Readonly<{ kind: 'text'; rows?: number }>
    /** `hasPictures`: several pictures may be chosen at once. */
    | Readonly<{ kind: 'items'; fields: readonly Field[]; hasPictures?: true }>
  )
type Field = FieldOf<string>
type FieldsOfTypes = {
  readonly [T in Exclude<BlockType, 'vehicle' | 'vehicles'>]: readonly FieldOf<
    Extract<keyof BlockOf<T>['data'], string>
  >[]
}

const heading = { kind: 'line', name: 'heading', label: 'Heading' } as const
const text = { kind: 'text', name: 'text', label: 'Text' } as const
const onePicture = { kind: 'picture', name: 'picture', label: 'Picture' } as const
const button = { kind: 'button', name: 'button', label: 'Button' } as const
const lot = {
  kind: 'lot',
  name: 'lotId',
  label: 'Lot',
  help: 'Visitors see what the lot says. A lot that isn’t on public pages isn’t shown.',
} as const
const paragraphs = 'A blank line starts a paragraph. Lines that start with a hyphen are a list.'

/** The fields of each type of block from top to bottom. How long a text may be is declared in the contract. */
const FIELDS: FieldsOfTypes = {
  hero: [{ kind: 'line', name: 'title', label: 'Title' }, text, onePicture, button],
  text: [heading, { ...text, rows: 4, help: paragraphs }],
  picture: [onePicture, { kind: 'line', name: 'caption', label: 'Caption' }],
  gallery: [
    heading,
    {
      kind: 'items',
      name: 'pictures',
      label: 'picture',
      hasPictures: true,
      fields: [onePicture, { kind: 'line', name: 'caption', label: 'Caption' }],
    },
  ],
  columns: [
    heading,
    { kind: 'items', name: 'columns', label: 'column', fields: [heading, text, onePicture, button] },
  ],
  form: [
    heading,
    {
      kind: 'form',
      name: 'formKey',
      label: 'Form',
      help: 'Its leads name this page, the campaign and the short URL that led here.',
    },
  ],
  hours: [heading, lot],
  map: [heading, lot],
  staff: [
    heading,
    {
      kind: 'items',
      name: 'people',
      label: 'person',
      fields: [
        { kind: 'line', name: 'name', label: 'Name' },
        { kind: 'line', name: 'role', label: 'Role or department' },
        { kind: 'line', name: 'phone', label: 'Phone' },
        { kind: 'line', name: 'email', label: 'Email' },
      ],
    },
  ],
  specials: [
    heading,
    {
      kind: 'items',
      name: 'items',
      label: 'special',
      fields: [
        { kind: 'line', name: 'title', label: 'Title' },
        {
          kind: 'line',
          name: 'saving',
          label: 'Saving',
          help: 'Such as $20 off or 15% off. Prices of vehicles come from the price engine.',
        },
        { kind: 'line', name: 'text', label: 'Text' },
        { kind: 'day', name: 'endsOn', label: 'Last day' },
        { kind: 'line', name: 'terms', label: 'Terms' },
      ],
    },
  ],
  questions: [
    heading,
    {
      kind: 'items',
      name: 'items',
      label: 'question',
      fields: [
        { kind: 'line', name: 'question', label: 'Question' },
        { kind: 'text', name: 'answer', label: 'Answer', help: paragraphs },
      ],
    },
  ],
  countdown: [
    heading,
    text,
    { kind: 'day', name: 'endsOn', label: 'Last day', help: 'The block is gone when this day is over.' },
  ],
  action: [heading, text, button, { kind: 'button', name: 'second', label: 'Second button' }],
  disclaimer: [{ ...text, rows: 3 }],
}

type Props = { block: Block; isReadOnly: boolean; onChange: (data: Data) => void }

/** The fields of an open block. */
export function BlockFields({ block, isReadOnly, onChange }: Props) {
  if (block.type === 'vehicles')
    return <VehiclesFields block={block} isReadOnly={isReadOnly} onChange={({ data }) => onChange(data)} />
  if (block.type === 'vehicle')
    return <VehicleFields block={block} isReadOnly={isReadOnly} onChange={({ data }) => onChange(data)} />
  return (
    <Inputs
      fields={FIELDS[block.type]}
      schema={BLOCK_DATA[block.type]}
      data={block.data}
      isReadOnly={isReadOnly}
      onChange={onChange}
    />
  )
}

type InputsProps = {
  fields: readonly Field[]
  schema: z.ZodObject
  data: Data
  isReadOnly: boolean
  onChange: (data: Data) => void
}

const Inputs = ({ fields, data, onChange, ...rest }: InputsProps) =>
  fields.map((field) => (
    <Input
      key={field.name}
      field={field}
      value={data[field.name]}
      onChange={(value) => onChange({ ...data, [field.name]: value })}
      {...rest}
    />
  ))

type InputProps<F extends Field = Field> = {
  field: F
  schema: z.ZodObject
  value: unknown
  isReadOnly: boolean
  onChange: (value: unknown) => void
}

function Input(props: InputProps) {
  const { field, schema, value, isReadOnly, onChange } = props
  const { label, help, name } = field
  const words = textOf(value)
  const most = longest(schema.shape[name])
  switch (field.kind) {
    case 'items':
      return <ItemList {...props} field={field} />
    case 'picture':
      return <PictureInputs picture={pictureIn(value)} isReadOnly={isReadOnly} onChange={onChange} />
    case 'button':
      return <ButtonInputs {...props} />
    case 'lot':
      return <LotInput {...props} />
    case 'form':
      return <FormInput {...props} />
    case 'text':
      return (
        <Textarea
          label={label}
          value={words}
          readOnly={isReadOnly}
          maxLength={most}
          autosize
          minRows={field.rows ?? 2}
          maxRows={16}
          {...described(help)}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    default:
      return (
        <Line
          label={label}
          value={words}
          most={most}
          isReadOnly={isReadOnly}
          help={help}
          isDay={field.kind === 'day'}
          onChange={onChange}
        />
      )
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const described = (help: string | undefined) => (help === undefined ? {} : { description: <bdi>{help}</bdi> })

/** The maximum length of a text; undefined if it has none. */
const longest = (schema: unknown): number | undefined =>
  schema instanceof z.ZodString ? (schema.maxLength ?? undefined) : undefined

type LineProps = {
  label: string
  value: string
  most: number | undefined
  isReadOnly: boolean
  help?: string | undefined
  isDay?: boolean
  onChange: (value: string) => void
}

const Line = ({ label, value, most, isReadOnly, help, isDay = false, onChange }: LineProps) => (
  <TextInput
    label={label}
    value={value}
    readOnly={isReadOnly}
    autoComplete="off"
    {...(isDay ? { type: 'date', max: '2100-12-31' } : { maxLength: most })}
    {...described(help)}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

const LINK_HELP =
  'A page such as /f/test-drive or /?make=Ford, #ask for the form below, or https://, mailto: or tel:'

function ButtonInputs({ field: { label }, value, isReadOnly, onChange }: InputProps) {
  const link = isRecord(value) ? value : {}
  const rows = [
    { name: 'label', label, most: 60 },
    { name: 'href', label: `Link of the ${label.toLowerCase()}`, most: 2_000, help: LINK_HELP },
  ] as const
  return rows.map(({ name, ...row }) => (
    <Line
      key={name}
      {...row}
      value={textOf(link[name])}
      isReadOnly={isReadOnly}
      onChange={(next) => onChange({ ...link, [name]: next })}
    />
  ))
}

function pictureIn(value: unknown): BlockPicture {
  const { path = '', alt = '' } = isRecord(value) ? value : {}
  return { path: textOf(path), alt: textOf(alt) }
}

type PictureProps = { picture: BlockPicture; isReadOnly: boolean; onChange: (picture: BlockPicture) => void }

/** A picture of the media library with its words for people who can't see it. */
function PictureInputs({ picture, isReadOnly, onChange }: PictureProps) {
  const { path, alt } = picture
  // Of the media library, and not entered here.
  const [given, setGiven] = useState('')
  const choose = (leaf: FileLeaf) => {
    setGiven(leaf.alt ?? '')
    onChange({ path: leaf.path, alt: alt === '' || alt === given ? (leaf.alt ?? '') : alt })
  }
  return (
    <>
      <Group gap={12} align="center">
        {path !== '' && (
          <LazyPicture
            path={path}
            box="fc-thumb"
            broken={<IconPhotoOff aria-label="Can’t be shown as a picture" />}
          >
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
                onChoose={([leaf]) => leaf !== undefined && choose(leaf)}
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

function FormInput({ field: { label, help }, value, isReadOnly, onChange }: InputProps) {
  const key = textOf(value)
  const { rows, search } = useSearchable(forms.list, { sort: 'name' })
  const known = rows.map((row) => ({
    value: row.key,
    label: row.status === 'published' ? row.name : `${row.name} (${row.status})`,
  }))
  const isKnown = key === '' || known.some((one) => one.value === key)
  return (
    <Select
      label={label}
      value={key || null}
      data={isKnown ? known : [{ value: key, label: key }, ...known]}
      readOnly={isReadOnly}
      searchable={!isReadOnly}
      onSearchChange={search}
      nothingFoundMessage="No forms found"
      {...described(help)}
      onChange={(next) => onChange(next ?? '')}
    />
  )
}

function LotInput({ field: { label, help }, value, isReadOnly, onChange }: InputProps) {
  const lotId = typeof value === 'string' ? value : null
  const { choices, search } = useLotNames()
  const isKnown = lotId === null || choices.some((one) => one.value === lotId)
  return (
    <Select
      label={label}
      value={lotId}
      data={isKnown ? choices : [{ value: lotId, label: 'Not available to you' }, ...choices]}
      readOnly={isReadOnly}
      searchable={!isReadOnly}
      onSearchChange={search}
      nothingFoundMessage="No lots found"
      {...described(help)}
      onChange={onChange}
    />
  )
}

/** A list inside a block. */
function ItemList(props: InputProps<Extract<Field, { kind: 'items' }>>) {
  const { field, schema, value, isReadOnly, onChange } = props
  const list = schema.shape[field.name]
  const rows = Array.isArray(value) ? value.filter(isRecord) : []
  if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return null
  const { element } = list
  return (
    <>
      {rows.map((row, at) => (
        <Stack
          key={at}
          gap={8}
          component="section"
          aria-label={`${field.label} ${at + 1}`}
          pb={12}
          style={UNDERLINE}
        >
          <Text size="sm" fw={600} aria-hidden="true">
            {capitalize(field.label)} {at + 1}
          </Text>
          <Inputs
            fields={field.fields}
            schema={element}
            data={row}
            isReadOnly={isReadOnly}
            onChange={(next) => onChange(rows.with(at, next))}
          />
          {!isReadOnly && (
            <Group>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-label={`Remove ${field.label} ${at + 1}`}
                onClick={() => onChange(rows.toSpliced(at, 1))}
              >
                Remove
              </Button>
            </Group>
          )}
        </Stack>
      ))}
      {!isReadOnly && <AddItems {...props} rows={rows} />}
    </>
  )
}

const UNDERLINE = { borderBlockEnd: '1px solid var(--fc-line)' } as const

type AddProps = InputProps<Extract<Field, { kind: 'items' }>> & { rows: readonly Data[] }

function AddItems({ field, rows, onChange }: AddProps) {
  const blank = Object.fromEntries(field.fields.map(({ kind, name }) => [name, BLANKS[kind] ?? '']))
  return (
    <Group>
      {field.hasPictures ? (
        <ChooseFromMedia
          kind="picture"
          isMany
          most={20_000_000}
          label="Add pictures"
          onChoose={(leafs) =>
            onChange([...rows, ...leafs.map(({ path, alt = '' }) => ({ ...blank, picture: { path, alt } }))])
          }
        >
          Add pictures
        </ChooseFromMedia>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...rows, blank])}
        >
          Add {field.label}
        </Button>
      )}
    </Group>
  )
}

const BLANKS: Readonly<Partial<Record<Field['kind'], Data>>> = {
  picture: { path: '', alt: '' },
  button: { label: '', href: '' },
}
