// Preloaded into a gate: its clock is off by CLOCK_OFFSET_MS. Only what reads the time of day is; timers run as ever.
import process from 'node:process';

const offset = Number(process.env['CLOCK_OFFSET_MS']);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
