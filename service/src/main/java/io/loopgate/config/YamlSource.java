package io.loopgate.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Reads the YAML file, token by token: every value knows its line. */
final class YamlSource {
  private static final YAMLFactory YAML =
      YAMLFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // "off" is a text: nowait=off is not nowait=false.
          .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
          .build();

  private static final String VOLUMES = "volumes";

  private final Path file;
  private final YAMLParser parser;
  private final RawConfig raw = new RawConfig();

  private YamlSource(Path file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads the file; the origin is what named it. */
  static RawConfig read(Path file, Origin origin) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new ConfigException(
          origin, "cannot read " + Quoting.quote(file.toString()) + ": " + reason(e), e);
    }
    try (YAMLParser parser = YAML.createParser(bytes)) {
      return new YamlSource(file, parser).readRoot();
    } catch (JsonProcessingException e) {
      Origin place =
          e.getLocation() == null
              ? Origin.file(file)
              : Origin.line(file, e.getLocation().getLineNr());
      throw new ConfigException(place, firstLine(e.getOriginalMessage()), e);
    } catch (IOException e) {
      throw new ConfigException(Origin.file(file), firstLine(String.valueOf(e.getMessage())), e);
    }
  }

  private RawConfig readRoot() throws IOException {
    JsonToken first = parser.nextToken();
    if (first != null && !isNothing(first)) {
      if (first != JsonToken.START_OBJECT) {
        throw error("has to be a map of keys, for example \"listen: 127.0.0.1:8080\"");
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        readKey();
      }
    }
    if (parser.nextToken() != null) {
      throw error("holds more than one YAML document; only one is read");
    }
    return raw;
  }

  private void readKey() throws IOException {
    String name = parser.currentName();
    if (name.equals(VOLUMES) || name.equals(ConfigKey.VOLUME.key())) {
      if (raw.volumesOrigin().isPresent()) {
        throw error("volume and volumes are the same key; keep one of them");
      }
      parser.nextToken();
      readVolumes(name);
      return;
    }
    ConfigKey key = ConfigKey.find(name).orElseThrow(() -> unknown(name, serverKeys()));
    if (key == ConfigKey.CONFIG) {
      throw error("config cannot stand in a file; give it as --config");
    }
    parser.nextToken();
    raw.put(key, scalar(here().about(name)));
  }

  private void readVolumes(String name) throws IOException {
    raw.decideVolumes(here());
    switch (parser.currentToken()) {
      case START_ARRAY -> {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          readListed(name);
        }
      }
      case START_OBJECT -> {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          readNamed(name);
        }
      }
      default -> readListed(name);
    }
  }

  /** Reads a member of a list: a map with an id, or a text in the syntax of the command line. */
  private void readListed(String name) throws IOException {
    Origin origin = here().about(name);
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      raw.addVolume(VolumeText.parse(scalar(origin).text(), origin));
      return;
    }
    RawVolume volume = new RawVolume(origin);
    readVolumeKeys(volume);
    raw.addVolume(volume);
  }

  /** Reads a member of a map: the id, then a map, or a text in the syntax of the command line. */
  private void readNamed(String name) throws IOException {
    Origin origin = here().about(name);
    String id = parser.currentName();
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      raw.addVolume(VolumeText.parse(id, scalar(origin).text(), origin));
      return;
    }
    Origin about = origin.about("volume " + Quoting.quote(id));
    RawVolume volume = new RawVolume(about);
    volume.put(VolumeKey.ID, new RawValue(id, about));
    readVolumeKeys(volume);
    raw.addVolume(volume);
  }

  private void readVolumeKeys(RawVolume volume) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      VolumeKey key = VolumeKey.find(name).orElseThrow(() -> unknown(name, volumeKeys()));
      parser.nextToken();
      volume.put(key, scalar(here().about(name)));
    }
  }

  private RawValue scalar(Origin origin) throws IOException {
    if (parser.isCurrentAlias()) {
      throw new ConfigException(origin, "is an alias (*); write the value itself");
    }
    JsonToken token = parser.currentToken();
    if (isNothing(token)) {
      throw new ConfigException(origin, "has no value");
    }
    return switch (token) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT, VALUE_TRUE, VALUE_FALSE ->
          new RawValue(parser.getText(), origin);
      default -> throw new ConfigException(origin, "takes one value, not a list or map");
    };
  }

  /** A key without a value is read as an empty text, and no key takes an empty text. */
  private boolean isNothing(JsonToken token) throws IOException {
    return token == JsonToken.VALUE_NULL
        || (token == JsonToken.VALUE_STRING && parser.getText().isEmpty());
  }

  private Origin here() {
    return Origin.line(file, parser.currentTokenLocation().getLineNr());
  }

  private ConfigException error(String message) {
    return new ConfigException(here(), message);
  }

  private ConfigException unknown(String name, List<String> known) {
    return error(
        "unknown key " + Quoting.quote(name) + "; the nearest is " + Nearest.to(name, known));
  }

  private static List<String> serverKeys() {
    return ConfigKey.all().stream()
        .filter(key -> key != ConfigKey.CONFIG)
        .map(key -> key == ConfigKey.VOLUME ? VOLUMES : key.key())
        .toList();
  }

  private static List<String> volumeKeys() {
    return VolumeKey.all().stream().map(VolumeKey::key).toList();
  }

  private static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no such file";
      case AccessDeniedException denied -> "permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("is not YAML");
  }
}
