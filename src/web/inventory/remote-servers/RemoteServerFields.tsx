import { PasswordInput, Textarea, TextInput } from '@mantine/core'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import './remote-servers.css'

type Name = 'host' | 'port' | 'remotePath' | 'userName' | 'secret'
/** A field of any form that has those of these names. */
export type FieldOf<Names extends string> = RecordFormState<Record<Names, unknown>, unknown>['field']

type Props = {
  field: FieldOf<Name>
  protocol: 'https' | 'sftp' | 'ftps' | 'ftp'
  /** Where servers of the kind listen. */
  usualPort: string
  examplePath: string
  /** What may stand in the name of the file. */
  pathHelp?: string
  /** A password or key was given before. */
  hasSecret: boolean
}

/** Where a file is on a machine outside, and who we are there. */
export function RemoteServerFields({ field, protocol, usualPort, examplePath, pathHelp, hasSecret }: Props) {
  return (
    <>
      <TextInput {...field('host')} required maxLength={253} autoComplete="off" dir="ltr" />
      <TextInput
        {...field('port')}
        inputMode="numeric"
        maxLength={5}
        autoComplete="off"
        placeholder={usualPort}
        dir="ltr"
      />
      <TextInput
        {...field('remotePath')}
        className="fc-wide"
        required
        maxLength={500}
        autoComplete="off"
        placeholder={examplePath}
        {...(pathHelp !== undefined && { description: pathHelp })}
        dir="ltr"
      />
      <TextInput {...field('userName')} maxLength={200} autoComplete="off" dir="ltr" />
      <SecretField field={field} protocol={protocol} hasSecret={hasSecret} />
    </>
  )
}

/** A password on one line, or for SFTP a key of many. */
function SecretField({ field, protocol, hasSecret }: Pick<Props, 'field' | 'protocol' | 'hasSecret'>) {
  const kept = hasSecret ? 'Kept; type a new one to replace it' : ''
  if (protocol === 'sftp') {
    return (
      <Textarea
        {...field('secret')}
        className="fc-wide fc-place-secret"
        description="A password, or a private key with its first and last line."
        autosize
        minRows={1}
        maxRows={5}
        maxLength={20_000}
        autoComplete="off"
        spellCheck={false}
        placeholder={kept}
        dir="ltr"
      />
    )
  }
  return (
    <PasswordInput
      {...field('secret')}
      label={protocol === 'https' ? 'Password or token' : 'Password'}
      maxLength={500}
      autoComplete="new-password"
      placeholder={kept}
      dir="ltr"
    />
  )
}
