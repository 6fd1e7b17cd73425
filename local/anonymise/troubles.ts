/** What the system's errors mean for the files of a run. */
const troubles: Record<string, string> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'it lies on a disk that can only be read',
  ENOENT: 'there is no such folder, and none can be made',
  EEXIST: 'a file stands where a folder is needed',
  ENOTDIR: 'a file stands where a folder is needed',
  EISDIR: 'a folder stands where a file is needed',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk fails',
}

/** What is the matter where the system refuses to read or write, in words that name no file. */
export const troubleOf = (error: unknown): string | undefined => troubles[(error as NodeJS.ErrnoException)?.code ?? '']
