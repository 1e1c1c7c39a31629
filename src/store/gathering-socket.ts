import { Socket } from 'node:net';

type Sent = (error?: Error | null) => void;

/** Sends all that is written to it in one go of the program as one piece: a statement is many writes, a flush is one. */
export class GatheringSocket extends Socket {
  override write(chunk: string | Uint8Array, sent?: Sent): boolean;
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding, sent?: Sent): boolean;
  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Sent, sent?: Sent): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      process.nextTick(() => {
        this.uncork();
      });
    }
    return typeof encoding === 'string' ? super.write(chunk, encoding, sent) : super.write(chunk, encoding);
  }
}
