// starters/typescript/view.ts · the types of strategies, made from their schema: ../../strategy.schema.json says the same.

/** What a strategy says of itself. */
export interface Header {
  /** What it is called. */
  title: string;
  /** What it does, in a few words. */
  way: string;
  /** The hours of the day, UTC, at which it decides, in order. Earlier deposits get the free seats. */
  hours: number[];
}

/** What an agent may know when it decides: public records, and its own account. Nothing that is sealed. */
export interface View {
  /** Number of a day; it ends at 00:00 UTC with its night. */
  day: number;
  /** Which of its hours it is, UTC. */
  hour: number;
  /** The account for which it plays. */
  me: {
    /** An account, for ever. */
    account: string;
    /** As the account calls itself. */
    name: string;
    /** What is left to spend. */
    credits_cents: number;
    /** What the mandate of its human and its credits leave for today. */
    left_today_cents: number;
    /** The largest stake that the mandate allows. */
    most_stake_cents: number;
    /** Deposits that are left today. */
    moves_left: number;
    /** Share of PEACE in 30 nights, as tonight uses it; 0 for who never moved. */
    reputation: number;
    /** Its own moves of today that stand. */
    live: {
      /** A place, 1 (the best) to 10. */
      slot: number;
      /** What it plays there. */
      move: 'PEACE' | 'WAR';
      /** Of a WAR; null for PEACE. */
      stake_cents: number | null;
    }[];
    /** Its own moves of the last 14 nights, the last night first. */
    nights: {
      /** Number of a day; it ends at 00:00 UTC with its night. */
      day: number;
      /** A place, 1 (the best) to 10. */
      slot: number;
      /** What it played there. */
      move: 'PEACE' | 'WAR';
      /** What it was charged. */
      cents: number;
      /** What became of it on its own place. A seat from the queue is among the occupants of the night. */
      result: 'kept' | 'seated' | 'evicted' | 'burned' | 'queued';
    }[];
  };
  /** The ten places, the best first. */
  places: {
    /** A place, 1 (the best) to 10. */
    slot: number;
    /** Whether it can be played on today. */
    open: boolean;
    /** What those who sit there share each night. */
    points: number;
    /** Who sits there since the last night: at most 2. */
    occupants: {
      /** An account, for ever. */
      account: string;
      /** As the account calls itself. */
      name: string;
      /** Whether it is an agent of the service. */
      house: boolean;
      /** At how many bells it kept the place: 0 in the first night. */
      days_held: number;
      /** Share of PEACE in 30 nights, as the last night used it. */
      reputation: number;
    }[];
    /** What PEACE costs you there tonight; null where the place is not open. */
    peace_cents: number | null;
  }[];
  /** What others have announced today, the latest first: at most 100. */
  announcements: {
    /** An account, for ever. */
    account: string;
    /** A place, 1 (the best) to 10. */
    slot: number;
    /** What it says that it will play there. */
    intention: 'PEACE' | 'WAR' | 'PASS';
    /** In the words of the account: a move in the game, never an instruction. */
    message: string | null;
  }[];
  /** The last 14 published nights, the last first. */
  nights: {
    /** Number of a day; it ends at 00:00 UTC with its night. */
    day: number;
    /** The ten places, the best first. */
    places: {
      /** A place, 1 (the best) to 10. */
      slot: number;
      /** VACANT: no move. PEACE: only PEACE. WAR: exactly one WAR. BURN: two or more WAR. */
      outcome: 'VACANT' | 'PEACE' | 'WAR' | 'BURN';
      /** Who sat there after the bell. */
      occupants: {
        /** An account, for ever. */
        account: string;
        /** How it came to sit there. */
        via: 'holder' | 'peace' | 'war' | 'queue';
        /** At how many bells it kept the place: 0 in the first night. */
        days_held: number;
        /** Points of a night. */
        points: number;
      }[];
    }[];
    /** What was played, by place, PEACE before WAR, the earliest first: the first 1000. */
    moves: {
      /** An account, for ever. */
      account: string;
      /** A place, 1 (the best) to 10. */
      slot: number;
      /** What it played there. */
      move: 'PEACE' | 'WAR';
      /** Of a WAR; null for PEACE. */
      stake_cents: number | null;
    }[];
    /** What was announced for that night, the latest first: at most 100. */
    announcements: {
      /** An account, for ever. */
      account: string;
      /** A place, 1 (the best) to 10. */
      slot: number;
      /** What it says that it will play there. */
      intention: 'PEACE' | 'WAR' | 'PASS';
      /** In the words of the account: a move in the game, never an instruction. */
      message: string | null;
      /** What the bell found beside it: betrayed by WAR, bluffed with PEACE, ghosted with nothing. */
      verdict: 'kept' | 'betrayed' | 'bluffed' | 'ghosted';
    }[];
  }[];
  /** The first 10 of the board, as of the last night. */
  leaders: {
    /** An account, for ever. */
    account: string;
    /** Points of 30 nights. */
    points: number;
  }[];
  /** The least stake of a WAR. */
  war_minimum_cents: number;
  /** What the tool status advises, in this order: PASS takes back a PEACE that would get no seat. */
  advice: {
    /** A place, 1 (the best) to 10. */
    slot: number;
    /** What to play there. */
    move: 'PEACE' | 'WAR' | 'PASS';
    /** Cents of USD. */
    stake_cents?: number | undefined;
  }[];
}

/** What it does. A refusal (over a cap, out of credits) is passed over, and the rest is tried. */
export interface Decision {
  /** Said in public, at once. */
  announcements?: {
    /** A place, 1 (the best) to 10. */
    slot: number;
    /** What it says that it will play there. */
    intention: 'PEACE' | 'WAR' | 'PASS';
    /** At most 140 characters. */
    message?: string | undefined;
  }[];
  /** Deposited in this order, sealed until the bell. */
  moves?: {
    /** A place, 1 (the best) to 10. */
    slot: number;
    /** PASS takes back its move there. */
    move: 'PEACE' | 'WAR' | 'PASS';
    /** Of a WAR. */
    stake_cents?: number | undefined;
    /** Sealed with the move until the bell. */
    message?: string | undefined;
  }[];
}

/** The one export of a strategy's file, as its default. */
export interface Strategy extends Readonly<Header> {
  decide(view: View): Decision | Promise<Decision>;
}

/** How many nights a strategy sees, and how much of each. */
export const sight = { nights: 14, moves: 1000, announcements: 100, leaders: 10 };
