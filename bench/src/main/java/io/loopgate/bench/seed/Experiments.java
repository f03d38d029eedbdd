package io.loopgate.bench.seed;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Shapes;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The mails' tables as experiments. */
public final class Experiments {
  private static final String DM_LOOP = "dm-loop-2025";
  private static final String BLK_MQ = "blk-mq-2014";
  private static final String WORKERS = "multiple-workers-2020";
  private static final String MAX_ACTIVE = "max-active-2015";
  private static final String POLLING = "dm-polling-2021";

  private static final String LOOP = "loopdev:direct";
  private static final String AIO = "aio";
  private static final String AIO_QUEUES = "aio/queues=4/loops=4";
  private static final String OFF = "/nowait=off";

  private final Map<String, Mail> mails = Mails.load();
  private final long sizeBytes;

  /** Lays out the experiments over files of this size. */
  public Experiments(long sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  /** Returns the ids of the mails. */
  public List<String> ids() {
    return List.of(DM_LOOP, BLK_MQ, WORKERS, MAX_ACTIVE, POLLING);
  }

  /**
   * Returns the experiments of a mail.
   *
   * @throws IllegalArgumentException naming the valid ids
   */
  public List<Experiment> of(String id) {
    return switch (id) {
      case DM_LOOP ->
          List.of(
              dmLoop("sync", "psync12", "fio:psync"), dmLoop("async", "libaio12", "fio:libaio"));
      case BLK_MQ ->
          List.of(
              inCaller("null", new Target.Nothing(sizeBytes), 1),
              inCaller("null", new Target.Nothing(sizeBytes), 32),
              inCaller("ram", new Target.Ram(sizeBytes), 1),
              inCaller("ram", new Target.Ram(sizeBytes), 32));
      case WORKERS -> List.of(workers());
      case MAX_ACTIVE -> List.of(maxActive());
      case POLLING -> List.of(polling());
      default ->
          throw new IllegalArgumentException(
              "there is no mail \"" + id + "\"; there are " + String.join(", ", ids()));
    };
  }

  private Mail mail(String id) {
    Mail mail = mails.get(id);
    if (mail == null) {
      throw new IllegalStateException("no figures of " + id);
    }
    return mail;
  }

  private Workload shape(String name) {
    return new Shapes(sizeBytes).named(name).getFirst();
  }

  private static String ratio(Mail mail, String of, String to) {
    return String.format(Locale.ROOT, "%.2f", mail.ratio(of, to));
  }

  private Experiment dmLoop(String mode, String shape, String raw) {
    Mail mail = mail(DM_LOOP);
    String rawFigure = mode + " raw";
    String loop = mode + " loop xfs";
    String nowait = mode + " nowait xfs";
    String queues = mode + " nowait 4 queues xfs";
    String mapped = mode + " dm-loop xfs";
    return new Experiment(
        mail,
        mode,
        shape(shape),
        List.of(raw, LOOP, "single", AIO, AIO_QUEUES, "uring", "pinned"),
        List.of(
            new Claim("loop to raw", LOOP, raw, ratio(mail, loop, rawFigure)),
            new Claim("NOWAIT to raw", AIO, raw, ratio(mail, nowait, rawFigure)),
            new Claim("NOWAIT, 4 queues, to raw", AIO_QUEUES, raw, ratio(mail, queues, rawFigure)),
            new Claim("dm-loop to raw", "pinned", raw, ratio(mail, mapped, rawFigure)),
            new Claim("NOWAIT to loop", AIO, LOOP, ratio(mail, nowait, loop)),
            new Claim("NOWAIT to one thread", AIO, "single", ratio(mail, nowait, loop)),
            new Claim("io_uring to one thread", "uring", "single", ratio(mail, nowait, loop)),
            new Claim("NOWAIT, 4 queues, to loop", AIO_QUEUES, LOOP, ratio(mail, queues, loop)),
            new Claim("4 queues to 1", AIO_QUEUES, AIO, ratio(mail, queues, nowait)),
            new Claim("dm-loop to one thread", "pinned", "single", ratio(mail, mapped, loop))),
        "raw is the file here and was the disk in the mail; the mail's loop had a file system on"
            + " top; engines run in this process, fio in one of its own");
  }

  private Experiment inCaller(String kind, Target target, int depth) {
    Mail mail = mail(BLK_MQ);
    String mailed = ratio(mail, kind + " in caller", kind + " loop queued");
    String queued = "single" + OFF;
    String inline = "inline" + OFF;
    String nowait = "single/nowait=always";
    Access access = Access.of(Rw.RANDREAD, 4096, depth, 1, false, Cache.HOT);
    return new Experiment(
        mail,
        kind + ", depth " + depth,
        new Workload("in-caller-" + kind + "-" + depth, target, access),
        List.of(queued, inline, nowait),
        List.of(
            new Claim("in the caller to queued", inline, queued, mailed),
            new Claim("NOWAIT to queued", nowait, queued, mailed)),
        "the hand-off that is saved cost 100 us there; what it costs here is what the ratio shows."
            + " The depth is ours");
  }

  private Experiment workers() {
    Mail mail = mail(WORKERS);
    String one = "workers:1";
    List<Claim> claims = new ArrayList<>();
    for (int count = 2; count <= 4; count++) {
      claims.add(
          new Claim(
              count + " workers to 1",
              "workers:" + count,
              one,
              ratio(mail, count + " workers", "1 worker")));
    }
    claims.add(
        new Claim(
            "4 workers to the loop driver",
            "workers:4",
            "loopdev:buffered",
            ratio(mail, "4 workers", "unpatched")));
    return new Experiment(
        mail,
        "four readers",
        shape("sequential4"),
        List.of(one, "workers:2", "workers:3", "workers:4", "loopdev:buffered"),
        claims,
        "one virtual disk may be busy with fewer readers than the mail's; the loop driver of today"
            + " is not the one of 2020");
  }

  private Experiment maxActive() {
    String wide = "workqueue:512" + OFF;
    String oneProcessor = wide + "/cpus=0";
    List<String> contenders = new ArrayList<>(List.of(wide, oneProcessor));
    List<Claim> claims = new ArrayList<>();
    claims.add(
        new Claim(
            "cap 512, all processors to one", wide, oneProcessor, "below 0.5 (4 processors)"));
    for (int cap : new int[] {1, 16, 32, 64, 128}) {
      String contender = "workqueue:" + cap + OFF;
      contenders.add(contender);
      claims.add(
          new Claim("cap " + cap + " to 512", contender, wide, cap < 128 ? "below 1" : "about 1"));
    }
    return new Experiment(
        mail(MAX_ACTIVE),
        "live CD",
        Shapes.liveCd(64),
        contenders,
        claims,
        "reads of the image stand for a boot: no system starts here, and the image is in the page"
            + " cache; the mail compared 4 processors with 1");
  }

  private Experiment polling() {
    Mail mail = mail(POLLING);
    String mailed = ratio(mail, "polling", "interrupts");
    Access access = Access.of(Rw.RANDREAD, 4096, 128, 1, true, Cache.COLD);
    return new Experiment(
        mail,
        "linear over three files",
        new Workload("linear128", Shapes.linear(sizeBytes), access),
        List.of("uring", AIO, "polled:naive", "polled:batch", "polled:hybrid"),
        List.of(
            new Claim("spin per command to io_uring", "polled:naive", "uring", mailed),
            new Claim("spin per command to aio", "polled:naive", AIO, mailed),
            new Claim("spin over all to aio", "polled:batch", AIO, "1.07, doubted"),
            new Claim("sleep, then spin, to aio", "polled:hybrid", AIO, "not in the mail")),
        "three files of one virtual disk stand for three disks; completions come by interrupt and"
            + " only their collection is polled");
  }
}
